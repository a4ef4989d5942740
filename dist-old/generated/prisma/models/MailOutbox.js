export {};
//# sourceMappingURL=MailOutbox.js.map