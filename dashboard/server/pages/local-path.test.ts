import { expect, it } from 'vitest'
import { localPath } from './local-path.ts'

it.each([
  '/',
  '/accounts/1',
  '/accounts/1/videos',
  '/accounts/1/videos?q=a%20b&status=failed',
  '/accounts/1/videos#b',
  '/welcome',
])('keeps the path %s', (path) => expect(localPath(path)).toBe(path))

it.each([
  '/sign-out',
  '/sign-in',
  '/sign-in?next=/accounts/1',
  '/sign-in/passkey',
  '/welcome/join',
  '/accounts',
  '/accounts/',
  '/accounts/../sign-out',
  '/accountsettings',
  '/api/accounts/1/me',
  '/healthz',
  '/readyz',
  '/pages/style.css',
  '/nothing',
])('replaces %s, which is no page to go to after a sign-in, by /', (next) =>
  expect(localPath(next)).toBe('/'),
)

it.each([
  'https://evil.example/',
  '//evil.example',
  '///evil.example',
  '/\\evil.example',
  '\\\\evil.example',
  '/\t/evil.example',
  '/\n/evil.example',
  '/.//evil.example',
  '/a/..//evil.example',
  'javascript:alert(1)',
  'evil.example',
  ' /evil',
  '',
  undefined,
  ['/a', '/b'],
  { a: '/a' },
])('replaces %p, which could lead elsewhere, by /', (next) => expect(localPath(next)).toBe('/'))
