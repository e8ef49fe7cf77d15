/** Gives the events that `where` names another time, in the row and in the envelope; SQL. */
export const moveEventsSql = (at: string, where: string): string =>
  `update event e set created_at = moved.at, body = regexp_replace(e.body, '"created_at":"[^"]*"',
     '"created_at":"' || to_char(moved.at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"') || '"')
   from (select date_trunc('milliseconds', ${at}) as at) moved where ${where}`
