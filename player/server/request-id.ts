/** What a response and its line in the log are found by. */
export const newRequestId = (): string => `req_${crypto.randomUUID().replaceAll('-', '')}`
