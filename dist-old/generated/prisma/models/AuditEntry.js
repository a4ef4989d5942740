export {};
//# sourceMappingURL=AuditEntry.js.map