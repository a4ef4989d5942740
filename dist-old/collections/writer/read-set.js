import { END } from './positions.js';
const emptyReadSet = () => ({
    items: new Set(),
    contents: new Set(),
    childVersions: new Set(),
    heights: new Set(),
    slugs: new Set(),
    ends: new Set(),
    orders: new Set(),
    siblingOrdersOf: new Set(),
    around: null,
    formerPlaceOf: null,
});
/** What is read of the workspace that a copy or transfer comes from. */
export const sourceReadSet = ({ id, ifMatch }) => ({
    ...emptyReadSet(),
    items: new Set([id]),
    childVersions: new Set(ifMatch === undefined ? [] : [id]),
});
/** What decide() wants to know for these commands. */
export function readSetOf(commands) {
    const readSet = emptyReadSet();
    for (const command of commands)
        addCommand(readSet, command);
    const [first] = commands;
    if (commands.length === 1 &&
        first?.kind === 'move' &&
        readSet.siblingOrdersOf.delete(first.move.id)) {
        readSet.around = first.move;
    }
    for (const parent of readSet.orders)
        readSet.ends.delete(parent);
    for (const parent of [...readSet.ends, ...readSet.orders])
        if (parent)
            readSet.items.add(parent);
    return readSet;
}
function addCommand(readSet, command) {
    switch (command.kind) {
        case 'create': {
            const { parentId, index = END, nodes } = command;
            (index === END ? readSet.ends : readSet.orders).add(parentId);
            for (const { slugs } of flatten(nodes))
                for (const slug of slugs)
                    readSet.slugs.add(slug);
            return;
        }
        case 'move': {
            const { id, newParentId, ifMatch } = command.move;
            readSet.items.add(id);
            if (newParentId === undefined)
                readSet.siblingOrdersOf.add(id);
            else {
                readSet.orders.add(newParentId);
                readSet.heights.add(id);
            }
            if (ifMatch !== undefined)
                readSet.childVersions.add(id);
            return;
        }
        case 'update': {
            const { id, changes } = command;
            readSet.items.add(id);
            readSet.childVersions.add(id);
            if (changes.content === undefined)
                readSet.contents.add(id);
            if (changes.parentId === undefined)
                return;
            readSet.orders.add(changes.parentId);
            readSet.heights.add(id);
            return;
        }
        case 'patch':
            readSet.items.add(command.id);
            readSet.contents.add(command.id);
            return;
        case 'order':
            for (const id of command.children)
                readSet.items.add(id);
            readSet.orders.add(command.parentId);
            if (command.parentId !== null && command.ifMatch !== undefined) {
                readSet.childVersions.add(command.parentId);
            }
            return;
        case 'delete':
            readSet.items.add(command.id);
            if (command.ifMatch !== undefined)
                readSet.childVersions.add(command.id);
            return;
        case 'restore': {
            const { deletion, parentId, index } = command;
            const target = targetOf(command);
            if (target !== null)
                readSet.items.add(target);
            if (index !== undefined)
                readSet.orders.add(target);
            else if (target === deletion.parentId)
                readSet.formerPlaceOf = deletion;
            else
                readSet.ends.add(target);
            // If the parent that it had is gone.
            if (parentId === undefined)
                readSet.ends.add(null);
            return;
        }
        case 'copy':
            for (const slug of command.named?.slugs ?? [])
                readSet.slugs.add(slug);
            addArrival(readSet, command);
            return;
        case 'transfer':
            addArrival(readSet, command);
    }
}
function addArrival(readSet, command) {
    const { id, from, parentId, index } = command;
    if (from === null) {
        const { items, childVersions } = sourceReadSet(command);
        for (const item of items)
            readSet.items.add(item);
        for (const item of childVersions)
            readSet.childVersions.add(item);
    }
    if (from === null && parentId === undefined) {
        if (index !== undefined)
            readSet.siblingOrdersOf.add(id);
        return;
    }
    (index === undefined ? readSet.ends : readSet.orders).add(parentId ?? null);
}
/** Where a deletion goes if the parent that it had is still there. */
export const targetOf = ({ deletion, parentId }) => parentId === undefined ? deletion.parentId : parentId;
/** The target indexes of commands, by parent. */
export function placesOf(commands, items) {
    const places = new Map();
    const add = (parentId, index) => {
        if (parentId !== undefined)
            places.set(parentId, [...(places.get(parentId) ?? []), index]);
    };
    for (const command of commands) {
        if (command.kind === 'create')
            add(command.parentId, command.index ?? END);
        if (command.kind === 'update')
            add(command.changes.parentId, END);
        if (command.kind === 'restore')
            add(targetOf(command), command.index ?? END);
        if (command.kind === 'copy' || command.kind === 'transfer') {
            const original = items.get(command.id);
            const { parentId = original ? original.parentId : null, index = END } = command;
            add(parentId, index);
        }
        if (command.kind !== 'move')
            continue;
        const { id, newParentId, index } = command.move;
        add(newParentId === undefined ? items.get(id)?.parentId : newParentId, index);
    }
    return places;
}
/** At most how many items these commands place in a list. */
export const movedBy = (commands) => commands.reduce((sum, command) => sum + (command.kind === 'create' ? command.nodes.length : 1), 0);
/** True for a command that must be alone in its batch: it changes more than a slice can track for those after it. */
export const isExclusive = ({ kind }) => kind === 'order' ||
    kind === 'delete' ||
    kind === 'restore' ||
    kind === 'copy' ||
    kind === 'transfer';
/** Bytes, roughly, that a new item takes beside its content. */
const BYTES_OF_ITEM = 1000;
/**
 * Bytes that an operation of a patch counts for, beside its value: it reads the page and writes it
 * again, which may have 1 MiB.
 */
const BYTES_OF_OPERATION = 128 * 1024;
/** Bytes, roughly, that a command writes. */
export function sizeOf(command) {
    if (command.kind === 'patch') {
        const bytes = command.operations.map((operation) => 'value' in operation ? operation.value.text.length : 0);
        return bytes.reduce((sum, value) => sum + BYTES_OF_OPERATION + value, 0);
    }
    if (command.kind === 'update')
        return command.changes.content?.length ?? 0;
    if (command.kind !== 'create')
        return 0;
    return flatten(command.nodes).reduce((sum, { content }) => sum + BYTES_OF_ITEM + (content?.length ?? 0), 0);
}
/** Items that a command is about: those that it creates, orders or changes. */
export function itemsOf(command) {
    if (command.kind === 'order')
        return command.children.length;
    return command.kind === 'create' ? flatten(command.nodes).length : 1;
}
/** New items in the order in which they are made: each behind its parent. */
const flatten = (nodes) => nodes.flatMap((node) => [node, ...flatten(node.children ?? [])]);
//# sourceMappingURL=read-set.js.map