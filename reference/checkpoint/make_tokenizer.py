"""Writes the tokenizers of this folder, each a small one with Beam's seven markers as added tokens:

    beam/                byte-level BPE; only <|return|>, the end-of-sequence token, is special
    beam-special/        the same vocabulary; all markers are special
    beam-byte-fallback/  BPE as SentencePiece makes it: a space is ▁, a character without a token is its bytes

Run it with the interpreter and packages that the reference uses (`beamdiff doctor` prints where they are):

    python make_tokenizer.py

The vocabularies are trained on the sentences below, so the same versions give the same files.
"""

import json
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
FOLDER = pathlib.Path(__file__).parent


def write(name: str, tokenizer: Tokenizer, special: set[str]) -> None:
    for marker in MARKERS:
        token = AddedToken(marker, normalized=False, special=marker in special)
        (tokenizer.add_special_tokens if token.special else tokenizer.add_tokens)([token])
    folder = FOLDER / name
    folder.mkdir(exist_ok=True)
    (folder / "tokenizer.json").write_text(tokenizer.to_str(pretty=True) + "\n", encoding="utf-8")


def byte_level() -> Tokenizer:
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=True)
    tokenizer.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=1024, initial_alphabet=sorted(pre_tokenizers.ByteLevel.alphabet()), show_progress=False
    )
    tokenizer.train_from_iterator(SENTENCES, trainer)
    return tokenizer


def byte_fallback() -> Tokenizer:
    # No space goes before the first word, and none is taken from the start of a decoded text: a reply is decoded without
    # its prompt, and a call begins with a space.
    spaces = pre_tokenizers.Metaspace(replacement="▁", prepend_scheme="never", split=True)
    trained = Tokenizer(models.BPE())
    trained.pre_tokenizer = spaces
    # Besides ASCII and these few, no character has a token of its own.
    letters = sorted({chr(c) for c in range(ord("!"), 127)} | set("\n▁éß世"))
    trainer = trainers.BpeTrainer(vocab_size=640, initial_alphabet=letters, show_progress=False)
    trained.train_from_iterator(["".join(c if c == " " or c in letters else "" for c in s) for s in SENTENCES], trainer)
    model = json.loads(trained.to_str())["model"]
    names = ["<unk>"] + [f"<0x{b:02X}>" for b in range(256)] + sorted(model["vocab"], key=model["vocab"].get)
    tokenizer = Tokenizer(
        models.BPE(
            vocab={name: i for i, name in enumerate(names)},
            merges=[tuple(pair) for pair in model["merges"]],
            unk_token="<unk>",
            fuse_unk=True,
            byte_fallback=True,
        )
    )
    tokenizer.pre_tokenizer = spaces
    tokenizer.decoder = decoders.Sequence([decoders.Replace("▁", " "), decoders.ByteFallback(), decoders.Fuse()])
    return tokenizer


write("beam", byte_level(), {"<|return|>"})
write("beam-special", byte_level(), set(MARKERS))
write("beam-byte-fallback", byte_fallback(), {"<|return|>"})
