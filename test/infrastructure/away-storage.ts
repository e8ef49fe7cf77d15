import { createStorage, type ObjectStorage } from '../../storage/object-storage.ts'

/** An S3 storage at a port of this machine without a listener. Its secret is `a-secret-key`. */
export const awayStorage = (port: number): ObjectStorage =>
  createStorage({
    driver: 's3',
    endpoint: `http://127.0.0.1:${port}`,
    region: 'us-east-1',
    bucket: 'videos',
    accessKey: 'access',
    secretKey: 'a-secret-key',
    pathStyle: true,
  })
