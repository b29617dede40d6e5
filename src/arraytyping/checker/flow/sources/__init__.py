"""The files of a program: what is a project, where its modules lie, where it begins, and which of its code can run."""
