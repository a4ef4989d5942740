export {};
//# sourceMappingURL=Team.js.map