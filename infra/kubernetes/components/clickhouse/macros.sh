# The shard and the replica of this pod, by its number: 0 and 1 are the replicas of the first shard.
number=${HOSTNAME##*-}
cat > /config/macros.xml <<END
<clickhouse><macros><shard>$((number / 2 + 1))</shard><replica>$HOSTNAME</replica></macros></clickhouse>
END
cp /templates/server.xml /config/server.xml
