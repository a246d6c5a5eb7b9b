"""The book's own code: result tables of papers and studies, charts of its pages, and what builds it."""
