/** SQL: whether an invite has expired, by the database's clock, which all instances share. */
export const IS_EXPIRED = '(expires_at <= statement_timestamp())';
//# sourceMappingURL=invite-expiry.js.map