export {};
//# sourceMappingURL=trash.js.map