/** What the documentation begins with; Markdown. */
export const INTRODUCTION = `Video hosting with encrypted playback: post a link to a film, follow it to \`ready\`, embed it.

**Authentication.** Every call carries \`Authorization: Bearer <API_KEY>\`. A key carries scopes; each operation names the one it needs.

**Errors.** Bodies are \`{"error": {"type", "code", "message", "param"?, "request_id", "doc_url"}}\`. Test the code; [all codes](/docs/errors).

**Idempotency.** Every POST takes an \`Idempotency-Key\`: the same key with the same body gives the same answer for 24 hours, and the work is done once.

**Rate limits.** 120 requests a minute and 10,000 a day for each key; \`RateLimit\` says what is left, 429 comes with \`Retry-After\`.

**Lists.** Newest first, \`limit\` (1 to 100, default 10), \`starting_after\`, \`ending_before\`, \`has_more\`.

**Webhooks.** [Events](/docs/events) are posted to your endpoints, signed: \`Service-Signature: t=<unix seconds>,v1=<hex>\`, where v1 is the HMAC-SHA256 of \`t + "." + body\` with the endpoint's secret as text. Refuse a \`t\` that is more than 300 seconds away, answer 2xx within 15 seconds, and record the event id: duplicates occur. There is one \`v1\`, except while a rotated secret overlaps with the one before it, which you ask for with \`overlap_seconds\`.

**Events.** \`GET /v1/events\` lists what happened, and with \`wait_seconds\` it waits for what happens next: for those who have no public address, and to catch up.`
