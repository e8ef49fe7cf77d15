const text = (value: string): string => JSON.stringify(value)

/** Dates at the edges of what JavaScript, ISO 8601 and PostgreSQL each have. */
const HOSTILE_DAYS: readonly string[] = [
  '0000-01-01',
  '0001-01-01',
  '1969-12-31',
  '9999-12-31',
  '2026-02-30',
  '10000-01-01',
]

/** Dates and times, for where one of them is expected. */
export const HOSTILE_TIMES: readonly string[] = [
  ...HOSTILE_DAYS,
  ...HOSTILE_DAYS.map((day) => `${day}T00:00:00Z`),
  ...['9999-12-31T23:59:59.999999999Z', '2026-01-01T24:00:00Z', '2026-01-01T23:59:60Z'],
  ...['2026-01-01T00:00:00+23:59', '0000-01-01T00:00:00-23:59', '-000001-01-01T00:00:00Z'],
  '+275760-09-13T00:00:00Z',
]

/** What a field of a body may be sent as, in JSON: wrong kinds, edges of numbers, odd text. */
export const HOSTILE_JSON: readonly string[] = [
  ...['null', 'true', 'false', '[]', '{}', '[null]', '[[]]', '{"a":{"b":[]}}', '{"length":1}'],
  ...['0', '-0', '-1', '1.5', '0.1e-400', '2147483647', '2147483648', '-2147483649', '4294967296'],
  ...['9007199254740991', '9007199254740993', '1e308', '-1e308', '1e999', '1e21', '1'.repeat(400)],
  ...['1e400', '-1e400', '-2147483648', '9223372036854775807', '9223372036854775808', '1e-7'],
  ...['', ' ', '\t\n', 'NaN', 'Infinity', '-1', 'null', 'true', '0', '{}', '[]'].map(text),
  ...['x'.repeat(256), 'x'.repeat(5001), 'x'.repeat(100_000), 'é'.repeat(64)].map(text),
  // Halves of a pair, NUL, right to left, marks on marks, characters beyond 16 bits, no characters.
  ...['\ud800', '\udc00a', 'a\ud83d', 'a\0b', '\0', '\u202eabc', 'مرحبا', '\u200b'].map(text),
  ...['e\u0301\u0323'.repeat(30), '😀'.repeat(65), '👩‍👩‍👧‍👦', '\ufeffa', '\ufffe', '\u007f'].map(text),
  ...["'; drop table video; --", '../../etc/passwd', '%00', '\\u0000', '<script>', '__proto__'].map(
    text,
  ),
  ...['http://[::1', 'https://', 'https://127.0.0.1:1/', 'file:///etc/passwd', '//x', 'a:b'].map(
    text,
  ),
  '['.repeat(200) + ']'.repeat(200),
]

/** What is put before or behind a text that is valid as it is. */
export const HOSTILE_ENDS: readonly string[] = [
  '\0',
  '\ud800',
  '\udc00',
  '\u202e',
  '\u200b',
  '\ufffe',
]

/** Fields that no operation has. */
export const UNKNOWN_FIELDS: readonly string[] = [
  ...['nothing', '__proto__', 'constructor', 'toString', '', 'ID', 'title ', 'tïtle', '\ud800'],
  'x'.repeat(10_000),
]

/** What a part of a path or a query parameter may be sent as, percent-encoded. */
export const HOSTILE_URL_TEXT: readonly string[] = [
  ...['0', '-1', '1.5', '1e3', '+1', '01', '0x1', 'NaN', '2147483648', '9007199254740993'],
  ...['1'.repeat(400), 'x'.repeat(5000), 'null', 'undefined', 'true', '[]', '{}', '*'],
  ...['%00', '%20', '%0a', '%2e%2e', '%2F', '%5c', '%ff', '%ed%a0%80', '%E2%80%AE', '%F0%9F%98%80'],
  ...['-0', '1e400', '2147483647', '9223372036854775807', '9223372036854775808'],
  ...["'", '%22', '%3B--', '%25', '%', '%zz', 'e%CC%81', '2026-02-30', '0000-00-00'],
]

/** Whole bodies that are none. */
export const HOSTILE_BODIES: readonly { raw: string | Buffer; type?: string }[] = [
  ...['', ' ', '{', '{"a":', '{"a":1,}', "{'a':1}", 'NaN', '{"a":NaN}', 'undefined', '\ufeff{'],
  ...['null', '[]', '[{}]', '"text"', '1', 'true', '{}{}', '{"a":1}garbage', '{"a":"\n"}', '\0'],
  ...['['.repeat(100_000), '['.repeat(100_000) + ']'.repeat(100_000), '{"a":'.repeat(50_000)],
]
  .map((raw): { raw: string | Buffer; type?: string } => ({ raw }))
  .concat([
    { raw: Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d]) },
    { raw: Buffer.alloc(10_000_000, 0x20) },
    { raw: '{}', type: 'text/plain' },
    { raw: '{}', type: 'application/jsonx' },
    { raw: '{}', type: 'application/json; charset=utf-7' },
    { raw: 'a=b', type: 'application/x-www-form-urlencoded' },
    { raw: '<a/>', type: 'application/xml' },
  ])
