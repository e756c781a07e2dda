/* The page of annotated source alone. */
Theme.start();
Listing.typeset();
