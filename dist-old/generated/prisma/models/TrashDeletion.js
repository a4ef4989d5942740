export {};
//# sourceMappingURL=TrashDeletion.js.map