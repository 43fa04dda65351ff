# Upgrades the running product: docs/docker.md. The old processes serve until all migrations are applied. If a
# step before that fails, they continue to run.
#   sh docker/upgrade.sh              to the sources of this folder
#   sh docker/upgrade.sh --pull       to the published images of IMAGE_PREFIX and IMAGE_TAG
#   sh docker/upgrade.sh --no-build   to the images of IMAGE_TAG that this machine has
set -eu
cd "$(dirname "$0")"
case ${1:-} in
'') docker compose build ;;
--pull) PULL_POLICY=always docker compose pull migrate data-api access-api worker data-worker ;;
--no-build) ;;
*)
  sed -n 3,5p "$0" >&2
  exit 2
  ;;
esac
docker compose run --rm -T --no-deps migrate --logins
docker compose up --no-build --detach --wait
