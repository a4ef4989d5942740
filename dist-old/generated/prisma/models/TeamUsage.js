export {};
//# sourceMappingURL=TeamUsage.js.map