/** The keys that grow start here in every test database: beyond 32 bits, so that each test shows that its code takes such ids. */
export const FIRST_WIDE_ID = 2 ** 31 + 1
