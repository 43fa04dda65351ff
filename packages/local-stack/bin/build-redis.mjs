// Downloads and builds Redis with the redis-memory-server package. It is a separate process because
// the package writes its progress to standard output and reads its settings from the environment.
// The last line of output is the path of the program.
import redisMemoryServer from 'redis-memory-server';

const [version, downloadDir] = process.argv.slice(2);
try {
  console.log(await redisMemoryServer.RedisBinary.getPath({ version, downloadDir }));
} catch (error) {
  console.error(error.message.trim().split('\n')[0]);
  process.exitCode = 1;
}
