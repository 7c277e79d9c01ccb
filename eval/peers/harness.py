"""Runs one tool on texts, for `cargo xtask peers`.

usage: harness.py TOOL TEXTS [MODEL]

TEXTS is a file of lines {"id", "text"}. The first line printed says whether the tool works: {"ready": VERSION} or
{"missing": WHY}. Then each line read is a command, each answered by a line:
  time ID REPEATS   seconds for REPEATS runs over the text, as {"seconds"}
  once ID           seconds of one run over the text, on the clock and of the processor, as {"seconds", "processor"}
  find ID           what is found in the text, as {"spans": [{"start", "end", "label"}]} in code points
"""
import importlib.metadata
import json
import sys
import time


def cpex():
    from cpex_pii_filter import PIIDetectorRust

    detector = PIIDetectorRust({})

    def find(text):
        for label, hits in detector.detect(text).items():
            for hit in hits:
                yield hit["start"], hit["end"], str(label)

    return "cpex-pii-filter", detector.detect, find


def cloakllm():
    from cloakllm import Shield, ShieldConfig

    # Without a model it finds by its patterns.
    shield = Shield(ShieldConfig(audit_enabled=False))

    def find(text):
        for hit in shield.analyze(text)["entities"]:
            yield hit["start"], hit["end"], hit["category"]

    return "cloakllm", shield.analyze, find


def presidio():
    import logging

    logging.disable(logging.WARNING)
    import spacy
    from presidio_analyzer import AnalyzerEngine, RecognizerRegistry
    from presidio_analyzer.nlp_engine import NlpArtifacts, NlpEngine

    class Blank(NlpEngine):
        """Tokens without a model: models are not on PyPI."""

        def __init__(self):
            self.nlp = spacy.blank("en")
            self.nlp.max_length = 10_000_000

        def load(self):
            pass

        def is_loaded(self):
            return True

        def process_text(self, text, language):
            doc = self.nlp(text)
            return NlpArtifacts([], doc, [token.idx for token in doc], [token.text for token in doc], self, language)

        def process_batch(self, texts, language, **_):
            for text in texts:
                yield text, self.process_text(text, language)

        def is_stopword(self, word, language):
            return False

        def is_punct(self, word, language):
            return False

        def get_supported_entities(self):
            return []

        def get_supported_languages(self):
            return ["en"]

    registry = RecognizerRegistry(supported_languages=["en"])
    registry.load_predefined_recognizers(languages=["en"])
    analyzer = AnalyzerEngine(registry=registry, nlp_engine=Blank(), supported_languages=["en"])

    def scan(text):
        return analyzer.analyze(text, language="en")

    def find(text):
        for hit in scan(text):
            yield hit.start, hit.end, hit.entity_type

    return "presidio-analyzer", scan, find


def presidio_md():
    import logging

    logging.disable(logging.WARNING)
    from presidio_analyzer import AnalyzerEngine
    from presidio_analyzer.nlp_engine import SpacyNlpEngine

    engine = SpacyNlpEngine(models=[{"lang_code": "en", "model_name": sys.argv[3]}])
    engine.load()
    analyzer = AnalyzerEngine(nlp_engine=engine, supported_languages=["en"])

    def scan(text):
        return analyzer.analyze(text, language="en")

    def find(text):
        for hit in scan(text):
            yield hit.start, hit.end, hit.entity_type

    return "presidio-analyzer", scan, find


TOOLS = {"cpex": cpex, "cloakllm": cloakllm, "presidio": presidio, "presidio_md": presidio_md}


def answer(value):
    print(json.dumps(value), flush=True)


def main():
    tool, path = sys.argv[1:3]
    try:
        package, scan, find = TOOLS[tool]()
        scan("mail m@example.org")
        answer({"ready": importlib.metadata.version(package)})
    except Exception as error:  # whatever a tool does at start, the others are still measured
        answer({"missing": f"{type(error).__name__}: {error}"[:300]})
        return
    with open(path, encoding="utf-8") as lines:
        texts = {item["id"]: item["text"] for item in map(json.loads, lines)}
    for line in sys.stdin:
        command, name, *rest = line.rstrip("\n").split("\t")
        text = texts[name]
        if command == "time":
            started = time.perf_counter()
            for _ in range(int(rest[0])):
                scan(text)
            answer({"seconds": time.perf_counter() - started})
        elif command == "once":
            started, used = time.perf_counter(), time.process_time()
            scan(text)
            seconds = time.perf_counter() - started
            answer({"seconds": seconds, "processor": time.process_time() - used})
        else:
            answer({"spans": [{"start": s, "end": e, "label": l} for s, e, l in find(text)]})


main()
