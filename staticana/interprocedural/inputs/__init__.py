"""What a program is given: its parameters, the words of its command line, and where they go."""
