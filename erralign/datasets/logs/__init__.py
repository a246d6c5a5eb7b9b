"""Logs of evaluations: their files, what each tool writes, how options are named (ways), and Responses (answers)."""

from erralign.datasets.logs.answers import read_logs
