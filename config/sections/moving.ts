import { z } from 'zod'
import { documented, secret, text } from '../variable.ts'

/** The accounts at other services from which `reelgate manifest` reads (docs/moving-from-other-services.md). */
export const moving = {
  VIMEO_ACCESS_TOKEN: secret(
    'access token',
    'Token of a Vimeo account with the scopes `public`, `private` and `video_files`, for `reelgate manifest vimeo`.',
  ),
  MUX_TOKEN_ID: text(
    'token id',
    'Id of an access token of Mux that may read videos, and for `--prepare` also write, for `reelgate manifest mux`.',
  ),
  MUX_TOKEN_SECRET: secret('token secret', 'Secret of the access token that `MUX_TOKEN_ID` names.'),
  BUNNY_API_KEY: secret(
    'Stream API key',
    'Key of a video library of Bunny Stream, not that of the account, for `reelgate manifest bunny`.',
  ),
  BUNNY_LIBRARY_ID: documented(
    z
      .string()
      .regex(/^\d{1,18}$/)
      .optional(),
    {
      values: 'number',
      description: 'The video library that `BUNNY_API_KEY` is for.',
    },
  ),
  BUNNY_PULL_ZONE: documented(
    z
      .string()
      .regex(/^[a-z0-9-]+(\.[a-z0-9-]+)+$/i)
      .optional(),
    {
      values: 'host name',
      description:
        'Host of the pull zone of that library, such as `vz-1a2b3c4d-5e6.b-cdn.net`: its files are there.',
    },
  ),
  BUNNY_TOKEN_KEY: secret(
    'URL token authentication key',
    'Key of the pull zone, if it has CDN token authentication: the links of the manifest are then signed, and end after seven days.',
  ),
  CLOUDFLARE_API_TOKEN: secret(
    'API token',
    'Token of Cloudflare with the permission Stream Read, and for `--prepare` Stream Write, for `reelgate manifest cloudflare`.',
  ),
  CLOUDFLARE_ACCOUNT_ID: documented(
    z
      .string()
      .regex(/^[0-9a-f]{32}$/i)
      .optional(),
    { values: '32 hex characters', description: 'The account that `CLOUDFLARE_API_TOKEN` is for.' },
  ),
}

/** The bucket from which `reelgate import` has objects imported. The names are those of the AWS command line. */
export const bucket = {
  AWS_ACCESS_KEY_ID: secret(
    'access key id',
    'Id of the access key of a bucket, for `reelgate import`. It may list the bucket and read its objects.',
  ),
  AWS_SECRET_ACCESS_KEY: secret(
    'secret access key',
    'The secret of the access key that `AWS_ACCESS_KEY_ID` names.',
  ),
  AWS_SESSION_TOKEN: secret(
    'session token',
    'The token of temporary credentials. They have to be valid until the last object is fetched.',
  ),
  AWS_REGION: text('region', 'Region of the bucket, unless `--region` is given.'),
  AWS_DEFAULT_REGION: text('region', 'The same, if `AWS_REGION` is not set.'),
  AWS_ENDPOINT_URL_S3: text(
    'https address without a path',
    'The S3 service of the bucket, unless `--endpoint-url` is given.',
    'that of AWS in the region',
  ),
  AWS_ENDPOINT_URL: text(
    'https address without a path',
    'The same, if `AWS_ENDPOINT_URL_S3` is not set.',
  ),
}
