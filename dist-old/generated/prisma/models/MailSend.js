export {};
//# sourceMappingURL=MailSend.js.map