"""Writes beam/tokenizer.json: a small byte-level BPE tokenizer with Beam's seven markers.

Run it with the interpreter and packages that the reference uses (`beamdiff doctor` prints where they are):

    python make_tokenizer.py

The vocabulary is trained on the sentences below, so the same versions give the same file. Each marker is one added token; only <|return|>, the end-of-sequence token, is special.
"""

import pathlib

from tokenizers import AddedToken, Tokenizer, decoders, models, pre_tokenizers, trainers

MARKERS = ["<|start|>", "<|channel|>", "<|constrain|>", "<|message|>", "<|end|>", "<|call|>", "<|return|>"]
SENTENCES = [
    "You are Beam, an AI assistant trained by Reflection.",
    "# Valid channels: analysis, final. Channel must be included for every message.",
    "Reasoning effort: 512",
    "The user asks about the weather in London and in Paris; I should call get_weather for both cities.",
    '<rfl:parameter name="city">\nLondon\n</rfl:parameter>\n<rfl:parameter name="days">\n3\n</rfl:parameter>',
    "def main():\n    for i in range(10):\n        print(i, end=' ')\n    return 0\n",
    '{"type": "object", "properties": {"query": {"type": "string"}}, "required": ["query"]}',
    "Ça coûte 12,50 €. Größe: 10 × 20 cm. Привет, мир! こんにちは世界。 你好，世界。 안녕하세요 👋🏽",
]

here = pathlib.Path(__file__).parent / "beam"
tokenizer = Tokenizer(models.BPE())
tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=True)
tokenizer.decoder = decoders.ByteLevel()
trainer = trainers.BpeTrainer(
    vocab_size=1024, initial_alphabet=sorted(pre_tokenizers.ByteLevel.alphabet()), show_progress=False
)
tokenizer.train_from_iterator(SENTENCES, trainer)
for marker in MARKERS:
    token = AddedToken(marker, normalized=False, special=marker == "<|return|>")
    (tokenizer.add_special_tokens if token.special else tokenizer.add_tokens)([token])
(here / "tokenizer.json").write_text(tokenizer.to_str(pretty=True) + "\n", encoding="utf-8")
