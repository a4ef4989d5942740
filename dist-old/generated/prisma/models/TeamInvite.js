export {};
//# sourceMappingURL=TeamInvite.js.map