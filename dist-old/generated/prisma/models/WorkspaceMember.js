export {};
//# sourceMappingURL=WorkspaceMember.js.map