"""Networks trained anew for the six tests of Klabunde et al. (2024), and what each measure says of their pairs."""
