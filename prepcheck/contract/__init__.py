"""The documents: Contract, Plan, Report (pydantic); YAML with line numbers; JSON Schema."""
