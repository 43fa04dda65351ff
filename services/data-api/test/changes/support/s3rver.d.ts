declare module 's3rver' {
  /** A loopback store with the interface of S3. */
  export default class S3rver {
    constructor(options: object);
    run(): Promise<unknown>;
    close(): Promise<void>;
  }
}
