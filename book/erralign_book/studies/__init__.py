"""Research of one or two pages, whole: what pages may import beside the library, and the library never imports."""
