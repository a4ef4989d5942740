export {};
//# sourceMappingURL=TrashItem.js.map