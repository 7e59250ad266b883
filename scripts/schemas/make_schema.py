"""Makes language-server/frameworks/NAME/schema.generated.json from a clone of the framework's repository.

Usage: python3 scripts/schemas/make_schema.py NAME CLONE

Needs git and PyYAML. Reads names, types, defaults and choices; the words about them are ours, in notes.ts.
"""

import json
import pathlib
import sys

import readers

ROOT = pathlib.Path(__file__).resolve().parents[2]


def verl(clone, revision):
    files = readers.list_files(clone, revision, ["verl/trainer/config", "verl/experimental"])
    whole = [f for f in files if "/_generated_ppo_" in f]
    chosen = whole or [f for f in files if f.endswith(("/ppo_trainer.yaml", "/ppo_megatron_trainer.yaml"))]
    # The trainer with FSDP first: where two disagree, its default is kept.
    chosen.sort(key=lambda f: (not f.endswith("ppo_trainer.yaml"), f))
    return readers.flatten_yaml(readers.show(clone, revision, f) for f in chosen)


def classes_of(root, folders):
    def read(clone, revision):
        files = [f for f in readers.list_files(clone, revision, folders) if f.endswith(".py") and "/tests/" not in f]
        classes = readers.Classes(readers.show(clone, revision, f) for f in files)
        roots = root if isinstance(root, list) else [root]
        return {name: key for each in roots for name, key in classes.keys(each).items()}

    return read


def flags_of(folders):
    def read(clone, revision):
        files = [f for f in readers.list_files(clone, revision, folders) if f.endswith(".py")]
        return readers.flags(readers.show(clone, revision, f) for f in files)

    return read


def nemo(clone, revision):
    keys = classes_of("MasterConfig", ["nemo_rl"])(clone, revision)
    texts = [readers.show(clone, revision, f"examples/configs/grpo_math_1B{kind}.yaml") for kind in ("", "_megatron")]
    for name, key in readers.flatten_yaml(text for text in texts if text).items():
        known = keys.setdefault(name, key)
        # What the code calls a TypedDict has no default of its own; the base file's value is an example, not a default.
        known.setdefault("type", key["type"])
    return keys


"""Framework → repository, its revisions as (version, git name) from old to new, reader."""
FRAMEWORKS = {
    "verl": (
        "verl-project/verl",
        [(v, f"v{v}.0" if v.count(".") == 1 else f"v{v}") for v in ("0.5", "0.6", "0.7", "0.8", "0.9")],
        "0.10",
        verl,
    ),
    "openrlhf": (
        "OpenRLHF/OpenRLHF",
        [("0.8", "v0.8.11"), ("0.9", "v0.9.10"), ("0.10.0", "v0.10.0"), ("0.10.4", "v0.10.4")],
        "0.11",
        flags_of(["openrlhf/cli/train_ppo_ray.py"]),
    ),
    "skyrl": (
        "NovaSky-AI/SkyRL",
        [("0.2", "skyrl-v0.2.0"), ("0.3", "skyrl-v0.3.0")],
        "0.4",
        classes_of("SkyRLTrainConfig", ["skyrl", "skyrl-gym"]),
    ),
    "slime": (
        "THUDM/slime",
        [("0.2.0", "v0.2.0"), ("0.2.2", "v0.2.2"), ("0.2.4", "v0.2.4"), ("0.3.0", "v0.3.0"), ("0.3.1", "v0.3.1")],
        "0.3.2",
        flags_of(["slime/utils/arguments.py"]),
    ),
    "prime-rl": (
        "PrimeIntellect-ai/prime-rl",
        [("0.7", "v0.7.0"), ("0.8", "v0.8.0")],
        "0.8.1",
        classes_of("RLConfig", ["packages/prime-rl-configs/src", "src/prime_rl/configs"]),
    ),
    "nemo-rl": ("NVIDIA-NeMo/RL", [("0.5", "v0.5.0"), ("0.6", "v0.6.0"), ("0.7", "v0.7.0")], "0.8", nemo),
    "areal": (
        "areal-project/AReaL",
        [("0.5", "v0.5.0"), ("1.0.0", "v1.0.0"), ("1.0.4", "v1.0.4")],
        "2.0.1",
        classes_of(["GRPOConfig", "PPOConfig"], ["areal/api/cli_args.py"]),
    ),
    "roll": (
        "alibaba/ROLL",
        [("0.2.0", "v0.2.0"), ("0.3.0", "v0.3.0")],
        "0.3.1",
        classes_of(["RLVRConfig", "AgenticConfig"], ["roll/configs", "roll/pipeline"]),
    ),
    "ms-swift": (
        "modelscope/ms-swift",
        [("4.2", "v4.2.3"), ("4.4", "v4.4.3")],
        "4.6",
        classes_of("RLHFArguments", ["swift"]),
    ),
}


def merge(versions):
    """One table over the versions: the newest form of each key, and when it came and went."""
    merged = {}
    for index, (version, keys) in enumerate(versions):
        for name, key in keys.items():
            known = merged.get(name)
            since = known["since"] if known else (version if index > 0 else None)
            earlier = list(known["before"]) if known else []
            if known and "default" in known["key"] and known["key"]["default"] != key.get("default"):
                earlier.append([version, known["key"]["default"]])
            merged[name] = {"key": key, "since": since, "before": earlier, "removed": None}
        for name, known in merged.items():
            if name not in keys and known["removed"] is None:
                known["removed"] = version
    return merged


def main():
    name, clone = sys.argv[1:]
    repository, revisions, newest, read = FRAMEWORKS[name]
    versions = [(version, read(clone, revision)) for version, revision in [*revisions, (newest, "HEAD")]]
    versions = [(version, keys) for version, keys in versions if keys]
    head = readers.subprocess.run(["git", "-C", clone, "rev-parse", "HEAD"], capture_output=True, text=True)
    lines = []
    for key_name, each in sorted(merge(versions).items()):
        key = {"name": key_name, **each["key"]}
        for part in ("since", "removed"):
            if each[part]:
                key[part] = each[part]
        if each["before"]:
            key["before"] = each["before"]
        lines.append(json.dumps(key, ensure_ascii=False, separators=(",", ":")))
    source = f"{repository}, {', '.join(r for _, r in revisions)} and {head.stdout[:12]}"
    header = json.dumps({"framework": name, "source": source, "latest": newest})[1:-1]
    target = ROOT / "language-server" / "frameworks" / name / "schema.generated.json"
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text("{" + header + ', "keys": [\n' + ",\n".join(lines) + "\n]}\n")
    print(f"{target.relative_to(ROOT)}: {len(lines)} keys, {[(v, len(k)) for v, k in versions]}")


main()
