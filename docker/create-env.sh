#!/bin/sh
# Writes docker/.env from docker/.env.example, with a random value in place of each CHANGE_ME.
set -eu
cd "$(dirname "$0")"
if [ -e .env ]; then
  echo 'docker/.env exists already; delete it first to create new secrets.' >&2
  exit 1
fi
umask 077
while IFS= read -r line; do
  case $line in
  *=CHANGE_ME) printf '%s=%s\n' "${line%%=*}" "$(od -An -N24 -tx1 /dev/urandom | tr -d ' \n')" ;;
  *) printf '%s\n' "$line" ;;
  esac
done < .env.example > .env.new
mv .env.new .env
echo 'Wrote docker/.env.'
