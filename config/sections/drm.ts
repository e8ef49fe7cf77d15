import { z } from 'zod'
import { APP_ATTEST_ENVIRONMENTS } from '../../domain/drm/app-attest-environment.ts'
import { FAIRPLAY_DELIVERIES } from '../../domain/drm/fairplay-delivery.ts'
import { KEY_SHARINGS } from '../../domain/drm/key-contract.ts'
import { KEY_MODELS } from '../../domain/drm/key-model.ts'
import { documented, httpsUrl, list, secret, text } from '../variable.ts'

export const drm = {
  DRM_KEY_MODEL: documented(z.enum(KEY_MODELS).default('provider'), {
    description:
      'Where the keys of Multi-DRM videos come from. `provider`: from the key server at `DRM_SPEKE_URL`. `own`: they are made here and handed to the DRM provider with each licence request, so that another provider can take over without encoding anything again. Every process and the CLI need it.',
  }),
  DRM_KEYS: documented(z.enum(KEY_SHARINGS).default('separate'), {
    description:
      'Keys of a Multi-DRM video. `separate`: one each for audio, SD, HD and UHD, so that licences can leave some out. `video-shared`: one for audio, one for video. `all-shared`: one for everything. Applies to videos that are created later.',
  }),
  DRM_SPEKE_URL: httpsUrl(
    'SPEKE 2.0 endpoint that makes the keys of Multi-DRM videos. The API, the dashboard, the worker and the CLI need it. Unset, with `DRM_KEY_MODEL=provider`: Multi-DRM plans are refused.',
  ),
  DRM_SPEKE_AUTH: documented(z.enum(['none', 'header', 'basic', 'digest', 'sigv4']).optional(), {
    description:
      'How the worker authenticates at `DRM_SPEKE_URL`. `sigv4`: AWS Signature Version 4 for an Amazon API Gateway.',
    defaultText: '`header` if `DRM_SPEKE_AUTHORIZATION` is set, otherwise `none`',
  }),
  DRM_SPEKE_AUTHORIZATION: secret('text', 'Authorization header of `DRM_SPEKE_AUTH=header`.'),
  DRM_SPEKE_USERNAME: text('text', 'User name of `DRM_SPEKE_AUTH=basic` and `digest`.'),
  DRM_SPEKE_PASSWORD: secret('text', 'Password of `DRM_SPEKE_AUTH=basic` and `digest`.'),
  DRM_SPEKE_AWS_REGION: text('text', 'Region of `DRM_SPEKE_AUTH=sigv4`, such as `eu-central-1`.'),
  DRM_SPEKE_AWS_ACCESS_KEY: secret('text', 'Access key id of `DRM_SPEKE_AUTH=sigv4`.'),
  DRM_SPEKE_AWS_SECRET_KEY: secret('text', 'Secret access key of `DRM_SPEKE_AUTH=sigv4`.'),
  DRM_SPEKE_AWS_SESSION_TOKEN: secret(
    'text',
    'Session token of `DRM_SPEKE_AUTH=sigv4`, for temporary credentials.',
  ),
  DRM_SPEKE_CERTIFICATE_FILE: text(
    'file',
    'PEM file of a certificate (RSA, 2048 bits) that the DRM provider encrypts content keys for. Keys in clear are then refused. Unset: keys come in clear, over TLS.',
  ),
  DRM_SPEKE_PRIVATE_KEY_FILE: text(
    'file',
    'PEM file of the private key of `DRM_SPEKE_CERTIFICATE_FILE`, without a passphrase.',
  ),
}

export const licences = {
  DRM_LICENCE_PROVIDER: documented(
    z.enum(['axinom', 'doverunner', 'drmtoday', 'generic']).optional(),
    {
      description:
        'Whose licence servers the player asks for licences of Multi-DRM videos. `generic` is any server that takes a JWT. The player, the API, the dashboard and the CLI need it; the other variables are for the player and for `reelgate doctor drm`. Unset: Multi-DRM plans are refused.',
    },
  ),
  DRM_WIDEVINE_URL: httpsUrl(
    'Licence server for Widevine. DoveRunner and DRMtoday have a default; a system without an address is not served.',
  ),
  DRM_PLAYREADY_URL: httpsUrl('The same for PlayReady.'),
  DRM_FAIRPLAY_URL: httpsUrl('The same for FairPlay.'),
  DRM_WIDEVINE_CERTIFICATE: text(
    'file or https address',
    'Certificate of the Widevine licence service. Unset: the licence server is asked for it.',
  ),
  DRM_FAIRPLAY_CERTIFICATE: text(
    'file or https address',
    'FairPlay certificate from Apple, as DER, PEM or base64. The log warns 30 days before it ends.',
    'DoveRunner: its address for the site',
  ),
  DRM_FAIRPLAY_DELIVERY: documented(z.enum(FAIRPLAY_DELIVERIES).default('dash'), {
    description:
      'How Safari plays Multi-DRM videos. `dash`: from the DASH manifest, as every other browser. `hls`: by its own player from HLS playlists, which then chooses the quality alone.',
  }),
  DRM_AXINOM_COM_KEY_ID: text('UUID', 'Communication key id of Axinom DRM.'),
  DRM_AXINOM_COM_KEY: secret('base64 of 32 bytes', 'Communication key of Axinom DRM.'),
  DRM_DOVERUNNER_SITE_ID: text('text', 'Site id of DoveRunner.'),
  DRM_DOVERUNNER_SITE_KEY: secret('32 characters', 'Site key of DoveRunner.'),
  DRM_DOVERUNNER_ACCESS_KEY: secret('text', 'Access key of DoveRunner.'),
  DRM_DRMTODAY_MERCHANT: text('text', 'Merchant of DRMtoday.'),
  DRM_DRMTODAY_SECRET: secret(
    'base64 of 32 or 64 bytes',
    'Shared secret of DRMtoday: 32 bytes sign with HS256, 64 with HS512.',
  ),
  DRM_GENERIC_CLAIMS: text(
    'JSON object',
    'Claims of the token for a generic server, with placeholders: `{video_id}`, `{viewer}`, `{session_id}`, `{system}`, `{now}`, `{expires}`, `{token_id}`, `{licence_seconds}`, `{renewal_seconds}`, `{key_ids}`, `{key_ids_hex}`; in an object of a list with `"$each": "keys"` also `{key_id}`, `{key_id_hex}`, `{key_hex}`, `{key_base64}`, `{iv_hex}`, `{track}`, `{needs_hardware}`, `{hdcp}`.',
  ),
  DRM_GENERIC_JWT_ALGORITHM: documented(
    z.enum(['HS256', 'HS384', 'HS512', 'RS256', 'ES256', 'EdDSA']).optional(),
    { description: 'How the token is signed.', defaultText: '`HS256`' },
  ),
  DRM_GENERIC_JWT_SECRET: secret(
    'text, or `base64:…`',
    'Secret of the token; for RS256, ES256 and EdDSA a private key as PEM.',
  ),
  DRM_GENERIC_JWT_HEADER: text('JSON object', 'Further fields of the header of the token.', '`{}`'),
  DRM_GENERIC_TOKEN_HEADER: text('header name', 'Header with the token.', '`Authorization`'),
  DRM_GENERIC_TOKEN_VALUE: text('text with `{token}`', 'Its value.', '`Bearer {token}`'),
  DRM_GENERIC_HEADERS: secret('JSON object', 'Further headers of each licence request.', '`{}`'),
  DRM_GENERIC_FRAMING: text(
    'JSON object',
    'How a system’s challenge and licence are packed: `raw`, `base64`, `form:FIELD` or `json:PATH`, such as `{"fairplay":{"request":"json:spc","response":"json:ckc"}}`.',
    '`raw` for all',
  ),
  DRM_GENERIC_ENFORCES_HARDWARE: documented(z.enum(['true', 'false']).optional(), {
    description:
      'Whether the server itself withholds keys from devices without hardware, by `{needs_hardware}`. If not, such keys are never requested.',
    defaultText: '`false`',
  }),
  DRM_GENERIC_REVOKED_CODES: text(
    'codes, separated by commas',
    'Error codes of the server that mean a revoked device.',
  ),
}

export const mobileApp = {
  APP_PLAYBACK: documented(z.enum(['off', 'open', 'attested']).default('off'), {
    description:
      'Whether the mobile app plays Multi-DRM videos ([the app’s side](mobile-app.md)). `open`: a link is enough, from any program. `attested`: the app must attest itself. The domain rules do not apply to it.',
  }),
  APP_ANDROID_PACKAGE: text(
    'package name',
    'Package of the Android app, which attests by Play Integrity.',
  ),
  APP_ANDROID_CERTIFICATES: list(
    'SHA-256 digests as hex',
    'Certificates that sign the Android app (Play Console, “App signing”).',
  ),
  APP_ANDROID_INTEGRITY: documented(z.enum(['basic', 'device', 'strong']).default('device'), {
    description: 'What the device must meet by the verdict of Play Integrity.',
  }),
  APP_PLAY_DECRYPTION_KEY: secret(
    'base64 of 32 bytes',
    'Decryption key of Play Integrity (Play Console, responses that you manage yourself).',
  ),
  APP_PLAY_VERIFICATION_KEY: text('DER in base64', 'Verification key of Play Integrity.'),
  APP_IOS_ID: text(
    '`TEAMID.bundle.id`',
    'Team id and bundle id of the iOS app, which attests by App Attest.',
  ),
  APP_IOS_ENVIRONMENT: documented(z.enum(APP_ATTEST_ENVIRONMENTS).default('production'), {
    description: 'Environment of App Attest. `development` is for apps that Xcode installs.',
  }),
}
