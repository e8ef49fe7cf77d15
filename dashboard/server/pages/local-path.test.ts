import { expect, it } from 'vitest'
import { localPath } from './local-path.ts'

it.each([
  '/',
  '/accounts/1/videos',
  '/accounts/1/videos?q=a%20b&status=failed',
  '/a#b',
  '/welcome',
])('keeps the path %s', (path) => expect(localPath(path)).toBe(path))

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
