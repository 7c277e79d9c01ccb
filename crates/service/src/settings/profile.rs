//! From settings to the profile that operators ask.
//!
//! In: settings whose codes are known. Out: a profile, or what is wrong with ranges and terms.

use cloakgate_cloak::text::{
    AgeOption, DateOption, Extended, ExtendedOption, Field, FinancialLabel, FinancialOption, GenderOption,
    GenderPronouns, GenderStyle, KnowledgeBase, LocationOption, Marks, MedicalDetail, MedicalOption,
    NameCulture, NameGender, NameOption, OptionError, PlaceholderStyle, Profile, PromptLanguage, Ranges,
    RangesUnit, RegionKind, Term, TermOption, TermText, WeightOption, WeightUnit,
};
use serde::Deserialize;
use serde_json::{Value, json};

use super::table::example;
use super::{EXTENDED_OPTIONS, OPTIONS, Settings};
use crate::fault::Fault;
use crate::fields::{Fields, choose, wrong};

impl Settings {
    /// The profile that these settings mean.
    ///
    /// # Errors
    /// When ranges are missing or wrong, or a term cannot be looked for.
    pub(crate) fn profile(&self) -> Result<Profile, Fault> {
        let age_ranges = self.ranges("age_ranges")?;
        let weight_ranges = self.ranges("weight_ranges")?;
        Ok(Profile {
            name: self.option("name", NameOption::from_code)?,
            age: self.option("age", |code| AgeOption::from_code(code, age_ranges.as_ref()))?,
            gender: self.option("gender", GenderOption::from_code)?,
            location: self.option("location", LocationOption::from_code)?,
            medical_condition: self.option("medical_condition", MedicalOption::from_code)?,
            financial: self.option("financial", FinancialOption::from_code)?,
            weight: self.option("weight", |code| WeightOption::from_code(code, weight_ranges.as_ref()))?,
            weight_unit: self.option("weight_unit", WeightUnit::from_code)?,
            extended: self.extended()?,
            name_culture: self.style("name_culture", NameCulture::from_code)?,
            name_gender: self.style("name_gender", NameGender::from_code)?,
            gender_style: self.style("gender_style", GenderStyle::from_code)?,
            gender_pronouns: self.style("gender_pronouns", GenderPronouns::from_code)?,
            region_kind: self.style("region_kind", RegionKind::from_code)?,
            financial_label: self.style("financial_label", FinancialLabel::from_code)?,
            medical_detail: self.style("medical_detail", MedicalDetail::from_code)?,
            placeholder_style: self.style("placeholder_style", PlaceholderStyle::from_code)?,
            prompt_language: self.style("prompt_language", PromptLanguage::from_code)?,
            weight_ranges_unit: self.style("weight_ranges_unit", RangesUnit::from_code)?,
            marks: self.style("marks", Marks::from_code)?,
            knowledge_base: self.knowledge_base()?,
        })
    }

    fn extended(&self) -> Result<Extended, Fault> {
        let of = |field| self.extended_option(field, ExtendedOption::from_code);
        Ok(Extended {
            email: of("email")?,
            phone: of("phone")?,
            government_id: of("government_id")?,
            network_id: of("network_id")?,
            url: of("url")?,
            date: self.extended_option("date", DateOption::from_code)?,
            organization: of("organization")?,
            credential: of("credential")?,
            custom: of("custom")?,
        })
    }

    fn option<T: Default>(
        &self,
        field: &'static str,
        read: impl Fn(&str) -> Result<T, OptionError>,
    ) -> Result<T, Fault> {
        let code = self.code(OPTIONS, field);
        code.map_or_else(|| Ok(T::default()), |code| read(code).map_err(|error| refused(field, &error)))
    }

    fn extended_option<T: Default>(
        &self,
        field: &'static str,
        read: impl Fn(&str) -> Result<T, OptionError>,
    ) -> Result<T, Fault> {
        let code = self.code(EXTENDED_OPTIONS, field);
        code.map_or_else(|| Ok(T::default()), |code| read(code).map_err(|error| refused(field, &error)))
    }

    fn style<T: Default>(
        &self,
        name: &'static str,
        read: impl Fn(&str) -> Result<T, OptionError>,
    ) -> Result<T, Fault> {
        let code = self.0.get(name).and_then(Value::as_str);
        code.map_or_else(|| Ok(T::default()), |code| read(code).map_err(|error| refused(name, &error)))
    }

    fn knowledge_base(&self) -> Result<KnowledgeBase, Fault> {
        let base = self.0.get("knowledge_base").cloned();
        base.map_or_else(
            || Ok(KnowledgeBase::default()),
            |base| knowledge_base(base).map_err(|fault| fault.below("knowledge_base")),
        )
    }

    fn ranges(&self, name: &'static str) -> Result<Option<Ranges>, Fault> {
        let Some(value) = self.0.get(name) else { return Ok(None) };
        let pairs: Vec<[f64; 2]> = Vec::deserialize(value)
            .map_err(|_| wrong(name, "a list of pairs of numbers").with("example", example(name)))?;
        let ranges = Ranges::new(&pairs).map_err(|error| {
            Fault::field(name, format!("`{name}`: {error}")).with("example", example(name))
        })?;
        Ok(Some(ranges))
    }
}

/// Reads the operator's own terms. What has neither `terms` nor `allow` is of a shape that we do not know.
fn knowledge_base(base: Value) -> Result<KnowledgeBase, Fault> {
    let Some(mut fields) = Fields::of(base) else { return Ok(KnowledgeBase::default()) };
    let (terms, allow) = (fields.list("terms")?, fields.list("allow")?);
    if terms.is_none() && allow.is_none() {
        return Ok(KnowledgeBase::default());
    }
    fields.finish()?;
    let terms = terms.unwrap_or_default().into_iter().enumerate();
    let terms = terms.map(|(place, value)| {
        Fields::of(value)
            .ok_or_else(|| wrong("term", "an object"))
            .and_then(term)
            .map_err(|fault| fault.below(&format!("terms[{place}]")))
    });
    let allow = allow.unwrap_or_default().into_iter().map(|value| match value {
        Value::String(text) => Ok(text),
        _ => Err(wrong("allow", "a list of strings")),
    });
    let (terms, allow) = (terms.collect::<Result<Vec<_>, _>>()?, allow.collect::<Result<Vec<_>, _>>()?);
    KnowledgeBase::new(terms, &allow).map_err(|error| Fault::field("terms", error.to_string()))
}

fn term(mut fields: Fields) -> Result<Term, Fault> {
    let text = match (fields.text("text")?, fields.text("regex")?) {
        (Some(text), None) => TermText::Text(text),
        (None, Some(regex)) => TermText::Regex(regex),
        _ => return Err(Fault::field("text", "a term has either `text` or `regex`")),
    };
    let names: Vec<&'static str> = Field::ALL.iter().map(|field| field.name()).collect();
    let field = fields.text("field")?.map(|name| choose("field", &name, &names)).transpose()?;
    let field = field.and_then(Field::from_name).unwrap_or(Field::Custom);
    let option = fields.choice("option", TermOption::CODES)?;
    let option = option.and_then(|code| TermOption::from_code(code).ok()).unwrap_or_default();
    fields.finish()?;
    Ok(Term { text, field, option })
}

/// Why an option does not fit.
fn refused(field: &'static str, error: &OptionError) -> Fault {
    match error {
        OptionError::Unknown { allowed } => {
            Fault::field(field, format!("`{field}` must be one of: {}", allowed.join(", ")))
                .with("allowed", json!(allowed))
        }
        _ => {
            let ranges = if field == "age" { "age_ranges" } else { "weight_ranges" };
            let example = example(ranges);
            let message = format!("`{field}` option `ranges` requires `{ranges}`, for example {example}");
            Fault::field(ranges, message).with("example", example)
        }
    }
}
