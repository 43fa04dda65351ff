import { createReadStream } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  DeleteObjectCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  NoSuchKey,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { MANIFEST_FILE, type Manifest } from './manifest.ts';
import type { SnapshotStore } from './snapshot-store.ts';

/** A client begins its download within this time; a download that runs is not interrupted. */
const URL_SECONDS = 900;

/** Snapshots in a bucket of an S3-compatible store, below the path of the URL. */
export function openBucket(url: URL): SnapshotStore {
  const Bucket = url.hostname;
  const path = url.pathname.split('/').filter(Boolean).join('/');
  const prefix = path === '' ? '' : `${path}/`;
  const endpoint = url.searchParams.get('endpoint');
  const client = new S3Client({
    region: url.searchParams.get('region') ?? process.env.AWS_REGION ?? 'us-east-1',
    ...(url.username !== '' && {
      credentials: {
        accessKeyId: decodeURIComponent(url.username),
        secretAccessKey: decodeURIComponent(url.password),
      },
    }),
    // Other stores than Amazon's have buckets in the path, and not all of its checksums.
    ...(endpoint !== null && { endpoint, forcePathStyle: true }),
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  });
  const keyOf = (id: string, name: string) => `${prefix}${id}/${name}`;

  async function* keys(under: string): AsyncGenerator<string> {
    let ContinuationToken: string | undefined;
    do {
      const page = await client.send(
        new ListObjectsV2Command({ Bucket, Prefix: under, ContinuationToken }),
      );
      for (const { Key } of page.Contents ?? []) if (Key !== undefined) yield Key;
      ContinuationToken = page.NextContinuationToken;
    } while (ContinuationToken !== undefined);
  }

  return {
    ids: async () => {
      const ids = new Set<string>();
      for await (const key of keys(prefix)) ids.add(key.slice(prefix.length).split('/')[0] ?? '');
      return [...ids];
    },
    manifest: async (id) => {
      try {
        const Key = keyOf(id, MANIFEST_FILE);
        const { Body } = await client.send(new GetObjectCommand({ Bucket, Key }));
        return JSON.parse((await Body?.transformToString()) ?? '') as Manifest;
      } catch (error) {
        if (error instanceof NoSuchKey) return undefined;
        throw error;
      }
    },
    workFolder: () => mkdtemp(join(tmpdir(), 'vcds-snapshot-')),
    put: async (id, name, path, bytes) => {
      const Key = keyOf(id, name);
      const Body = createReadStream(path);
      await client.send(new PutObjectCommand({ Bucket, Key, Body, ContentLength: bytes }));
    },
    source: async (id, name) => {
      const command = new GetObjectCommand({ Bucket, Key: keyOf(id, name) });
      return { url: await getSignedUrl(client, command, { expiresIn: URL_SECONDS }) };
    },
    remove: async (id) => {
      const all: string[] = [];
      for await (const key of keys(`${prefix}${id}/`)) all.push(key);
      const isManifest = (key: string) => key.endsWith(`/${MANIFEST_FILE}`);
      for (const Key of all.sort((a, b) => Number(isManifest(b)) - Number(isManifest(a)))) {
        await client.send(new DeleteObjectCommand({ Bucket, Key }));
      }
    },
    close: () => client.destroy(),
  };
}
