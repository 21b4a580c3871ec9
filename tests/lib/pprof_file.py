# SPDX-License-Identifier: Apache-2.0
"""Reads a profile.proto: call paths with their values, as far as tests need it."""
import collections
import gzip

PROFILE_TYPE, PROFILE_SAMPLE, PROFILE_LOCATION, PROFILE_FUNCTION, PROFILE_STRING, PROFILE_DURATION, PROFILE_PERIOD_TYPE, PROFILE_COMMENT = 1, 2, 4, 5, 6, 10, 11, 13
# types: [(type, unit)] of the values, and then of the period; samples: [(path, thread, hart, values)], the path's outermost function first
Profile = collections.namedtuple("Profile", "types duration comments samples")


def varint(data, at):
    value = shift = 0
    while True:
        value |= (data[at] & 0x7F) << shift
        shift += 7
        at += 1
        if not data[at - 1] & 0x80:
            return value, at


def fields(data):
    """(number, value) of each field: a whole number or bytes"""
    at = 0
    while at < len(data):
        key, at = varint(data, at)
        if key & 7 == 0:
            value, at = varint(data, at)
        elif key & 7 == 5:
            value, at = int.from_bytes(data[at:at + 4], "little"), at + 4
        else:
            assert key & 7 == 2, "a type that profiles do not have"
            length, at = varint(data, at)
            value, at = data[at:at + length], at + length
        yield key >> 3, value


def numbers(packed):
    if isinstance(packed, int):
        return [packed]
    at, found = 0, []
    while at < len(packed):
        value, at = varint(packed, at)
        found.append(value)
    return found


def labels(parts, strings):
    """{key: text or number}"""
    found = {}
    for part in parts:
        label = dict(fields(part))
        found[strings[label[1]]] = strings[label[2]] if 2 in label else label.get(3, 0)
    return found


def read(data):
    parts = collections.defaultdict(list)
    for number, value in fields(gzip.decompress(data)):
        parts[number].append(value)
    strings = [text.decode() for text in parts[PROFILE_STRING]]
    names = {function[1]: strings[function[2]] for function in (dict(fields(part)) for part in parts[PROFILE_FUNCTION])}
    locations = {}
    for part in parts[PROFILE_LOCATION]:
        place = dict(fields(part))
        locations[place[1]] = names[dict(fields(place[4]))[1]]
    samples = []
    for part in parts[PROFILE_SAMPLE]:
        of = collections.defaultdict(list)
        for number, value in fields(part):
            of[number].append(value)
        ids = [i for packed in of[1] for i in numbers(packed)]
        values = [n for packed in of[2] for n in numbers(packed)]
        told = labels(of[3], strings)
        samples.append((tuple(locations[i] for i in reversed(ids)), told.get("thread", ""), told.get("hart", 0), values))
    types = [tuple(strings[dict(fields(part)).get(field, 0)] for field in (1, 2)) for part in parts[PROFILE_TYPE] + parts[PROFILE_PERIOD_TYPE]]
    return Profile(types, sum(parts[PROFILE_DURATION]), [strings[i] for packed in parts[PROFILE_COMMENT] for i in numbers(packed)], samples)
