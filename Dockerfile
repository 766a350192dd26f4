# syntax=docker/dockerfile:1
# prepcheck on a slim image. opencv-python needs libGL, which slim images lack: the headless build brings the same cv2.
FROM python:3.12-slim AS build
WORKDIR /src
COPY pyproject.toml README.md LICENSE ./
COPY prepcheck prepcheck
COPY schemas schemas
RUN pip wheel --no-cache-dir --no-deps --wheel-dir /wheels .
RUN python -c "import tomllib; p = tomllib.load(open('pyproject.toml', 'rb'))['project']; print('\n'.join(d.replace('opencv-python>', 'opencv-python-headless>') for d in p['dependencies']))" > /wheels/requirements.txt

FROM python:3.12-slim
COPY --from=build /wheels /wheels
RUN pip install --no-cache-dir -r /wheels/requirements.txt \
    && pip install --no-cache-dir --no-deps /wheels/*.whl \
    && rm -rf /wheels \
    && useradd --create-home --uid 1000 prepcheck
USER prepcheck
WORKDIR /work
ENTRYPOINT ["prepcheck"]
CMD ["--help"]
