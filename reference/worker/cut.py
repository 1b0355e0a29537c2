"""The pieces in which a reply comes. The worker gives Cannot and RequestError."""


def cut(reply, chunks):
    """The pieces of a reply, a text or ids: whole, of a number of them each, or between cut positions."""
    if chunks is None:
        return [reply]
    if isinstance(chunks, dict):
        raise Cannot("a Python string cannot be cut between the bytes of a character")
    if isinstance(chunks, list) and all(type(at) is int for at in chunks):
        edges = [0, *chunks, len(reply)]
        if edges == sorted(edges):
            return [reply[a:b] for a, b in zip(edges, edges[1:])]
    elif type(chunks) is int and chunks > 0:
        return [reply[i:i + chunks] for i in range(0, len(reply), chunks)] or [reply]
    raise RequestError("chunks must be a number of characters, of ids in a reply of ids, or a rising list of positions in it")


def cut_ids(tokenizer, reply, chunks):
    """The pieces of a reply of ids, as texts, and what is left when it has ended: ids are decoded step by
    step, as the library's own server does (cli/serving/utils.py), which shows a character once it is whole."""
    from tokenizers.decoders import DecodeStream

    whole = tokenizer.decode(reply)
    if chunks is None:
        return [whole], ""
    stream = DecodeStream([], skip_special_tokens=False)
    pieces = ["".join(stream.step(tokenizer._tokenizer, i) or "" for i in piece) for piece in cut(reply, chunks)]
    shown = "".join(pieces)
    return pieces, whole[len(shown):] if whole.startswith(shown) else ""
