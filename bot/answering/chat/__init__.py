"""Language models over OpenAI's chat protocol, for whatever asks them."""
