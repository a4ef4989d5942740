export {};
//# sourceMappingURL=TeamMember.js.map