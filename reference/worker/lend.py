"""A tokenizer for a checkpoint that has none: render and parse do not need one of
its own."""

import json
import os
import tempfile

COPIED = ("chat_template.jinja", "chat_template.json")
OF_OLD = ("special_tokens_map.json",)  # the library reads it where the configuration has no added_tokens_decoder


def lend(directory, loader):
    """Loads the directory's configuration around a byte-level tokenizer made here."""
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers

    path = os.path.join(directory, "tokenizer_config.json")
    config = {}
    if os.path.exists(path):
        with open(path, encoding="utf-8") as file:
            config = json.load(file)
    elif not os.path.exists(os.path.join(directory, "chat_template.jinja")):
        raise FileNotFoundError(f"{directory} has neither tokenizer_config.json nor chat_template.jinja")
    names = COPIED if "added_tokens_decoder" in config else COPIED + OF_OLD
    for key in ("auto_map", "tokenizer_file", "added_tokens_decoder"):
        config.pop(key, None)
    config["tokenizer_class"] = "PreTrainedTokenizerFast"
    letters = sorted(pre_tokenizers.ByteLevel.alphabet())
    lent = Tokenizer(models.BPE(vocab={c: i for i, c in enumerate(letters)}, merges=[]))
    lent.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)
    lent.decoder = decoders.ByteLevel()
    with tempfile.TemporaryDirectory() as home:
        lent.save(os.path.join(home, "tokenizer.json"))
        with open(os.path.join(home, "tokenizer_config.json"), "w", encoding="utf-8") as file:
            json.dump(config, file)
        copied = [n for n in names if os.path.isfile(os.path.join(directory, n))]
        more = os.path.join(directory, "additional_chat_templates")
        if os.path.isdir(more):
            os.mkdir(os.path.join(home, "additional_chat_templates"))
            copied += [os.path.join("additional_chat_templates", n) for n in sorted(os.listdir(more))]
        for name in copied:
            with open(os.path.join(directory, name), "rb") as a, open(os.path.join(home, name), "wb") as b:
                b.write(a.read())
        return loader.from_pretrained(home, trust_remote_code=False)
