"use strict";

// Draws the description of the API. Texts are set as texts, never as markup.

const operations = document.getElementById("operations");

function element(name, text, ...children) {
  const made = document.createElement(name);
  if (text) made.textContent = text;
  made.append(...children);
  return made;
}

function quiet(text) {
  const made = element("span", text);
  made.className = "quiet";
  return made;
}

function resolve(document, schema) {
  const name = schema && schema.$ref && schema.$ref.split("/").pop();
  return name ? document.components.schemas[name] : schema;
}

/** A schema as an example would be written, with kinds in the places of values. */
function sketch(document, schema, depth) {
  schema = resolve(document, schema) || {};
  if (depth > 6) return "...";
  const of = schema.oneOf || schema.anyOf || schema.allOf;
  if (of && schema.allOf) {
    return Object.assign({}, ...schema.allOf.map((part) => sketch(document, part, depth + 1)));
  }
  if (of) return sketch(document, of.find((part) => part.type !== "null") || of[0], depth + 1);
  if (schema.enum) return schema.enum.filter((word) => word !== null).join(" | ");
  if (schema.properties) {
    const drawn = {};
    for (const [name, property] of Object.entries(schema.properties)) {
      const needed = (schema.required || []).includes(name) ? "" : "?";
      drawn[name + needed] = sketch(document, property, depth + 1);
    }
    return drawn;
  }
  if (schema.items) return [sketch(document, schema.items, depth + 1)];
  const kinds = [].concat(schema.type || "any").filter((kind) => kind !== "null");
  return schema.format ? `${kinds.join(" | ")} (${schema.format})` : kinds.join(" | ");
}

function body(document, content) {
  const [kind, media] = Object.entries(content || {})[0] || [];
  if (!kind) return [];
  const example = media.example || sketch(document, media.schema, 0);
  return [quiet(kind), element("pre", JSON.stringify(example, null, 2))];
}

function parameters(operation) {
  const rows = (operation.parameters || []).map((parameter) =>
    element("tr", "", element("td", "", element("code", parameter.name)), element("td", parameter.in),
      element("td", parameter.description || "")));
  return rows.length ? [element("h3", "Parameters"), element("table", "", ...rows)] : [];
}

function responses(document, operation) {
  const made = [element("h3", "Answers")];
  for (const [status, response] of Object.entries(operation.responses)) {
    const resolved = response.$ref ? document.components.responses[response.$ref.split("/").pop()] : response;
    made.push(element("div", "", element("code", status), " ", quiet(resolved.description)));
    if (status < "300") made.push(...body(document, resolved.content));
  }
  return made;
}

function draw(document, path, method, operation) {
  const verb = element("span", method.toUpperCase());
  verb.className = "method";
  const inside = element("div", "", element("p", operation.description || ""), ...parameters(operation));
  if (operation.requestBody) {
    inside.append(element("h3", "Body"), ...body(document, operation.requestBody.content));
  }
  inside.append(...responses(document, operation));
  const made = element("details", "",
    element("summary", "", verb, element("code", path), quiet(operation.summary || "")), inside);
  made.dataset.text = `${method} ${path} ${operation.summary || ""} ${operation.description || ""}`.toLowerCase();
  return made;
}

function show(document) {
  window.document.getElementById("about").textContent = document.info.description || "";
  const groups = new Map();
  for (const [path, methods] of Object.entries(document.paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      if (!operation.responses) continue;
      const name = (operation.tags || ["Other"])[0];
      if (!groups.has(name)) groups.set(name, element("section", "", element("h2", name)));
      groups.get(name).append(draw(document, path, method, operation));
    }
  }
  operations.replaceChildren(...groups.values());
}

document.getElementById("search").addEventListener("input", (event) => {
  const wanted = event.target.value.trim().toLowerCase();
  for (const section of operations.querySelectorAll("section")) {
    let any = false;
    for (const made of section.querySelectorAll("details")) {
      made.hidden = !made.dataset.text.includes(wanted);
      any = any || !made.hidden;
    }
    section.hidden = !any;
  }
});

fetch("/api/openapi.json")
  .then((answer) => answer.json())
  .then(show)
  .catch(() => operations.replaceChildren(element("p", "The description could not be loaded.")));
