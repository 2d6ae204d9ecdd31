"""The Web API has these methods, and checks stand before each of them."""
