export {};
//# sourceMappingURL=Collection.js.map