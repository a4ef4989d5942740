export const toEntry = ({ actorId, actorName, targetType: type, targetId, targetName, ...row }) => ({
    ...row,
    actor: actorId === null || actorName === null ? null : { id: actorId, name: actorName },
    target: { type, id: targetId, name: targetName },
});
//# sourceMappingURL=audit-log.js.map