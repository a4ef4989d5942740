export {};
//# sourceMappingURL=workspace-trash.js.map