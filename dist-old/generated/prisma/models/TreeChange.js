export {};
//# sourceMappingURL=TreeChange.js.map