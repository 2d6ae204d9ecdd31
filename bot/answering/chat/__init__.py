"""Language models answer over OpenAI's chat protocol, whoever asks them."""
