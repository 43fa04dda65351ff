"""The part of requests that the examples use, without a package to install. A failed call raises."""
import json, re, urllib.parse, urllib.request


class Response:
    def __init__(self, answer):
        self.headers, self.text = answer.headers, answer.read().decode()

    def json(self):
        return json.loads(self.text)

    def raise_for_status(self):
        pass

    @property
    def links(self):
        found = re.findall('<([^>]*)>; rel="(\\w+)"', self.headers.get("Link", ""))
        return {rel: {"url": url} for url, rel in found}


class Session:
    def __init__(self):
        self.headers = {}

    def get(self, url, params=None, headers=None):
        query = f"?{urllib.parse.urlencode(params)}" if params else ""
        request = urllib.request.Request(url + query, headers={**self.headers, **(headers or {})})
        return Response(urllib.request.urlopen(request))


def get(url, **options):
    return Session().get(url, **options)
