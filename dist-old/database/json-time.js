/** SQL for a time as responses have it: ISO 8601 in UTC with milliseconds, without quotes. */
export const jsonTime = (column) => `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
//# sourceMappingURL=json-time.js.map