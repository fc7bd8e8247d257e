"""What makes pictures for the notebooks and the documents."""
