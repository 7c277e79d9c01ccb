//! The rows: one file for each kind of number.
//!
//! In: nothing. Out: the rows, in the order of their names. Not here: looking them up (`national`).

use super::Kind;

mod ae_eid;
mod am_psn;
mod ar_cbu;
mod ar_cuit;
mod ar_dni;
mod at_svnr;
mod at_uid;
mod au_abn;
mod au_acn;
mod au_bsb;
mod au_medicare;
mod au_tfn;
mod az_fin;
mod be_nn;
mod be_vat;
mod bg_egn;
mod bg_pnf;
mod br_cnh;
mod br_cnpj;
mod br_cpf;
mod br_pis;
mod br_sus;
mod br_titulo;
mod by_unp;
mod ca_bc_phn;
mod ca_bn;
mod ca_on_health;
mod ca_qc_ramq;
mod ca_sin;
mod ch_ahv;
mod ch_uid;
mod cl_rut;
mod cn_rid;
mod cn_uscc;
mod co_cedula;
mod co_nit;
mod cr_cpf;
mod cu_ni;
mod cy_tic;
mod cz_dic;
mod cz_rc;
mod de_ausweis;
mod de_kvnr;
mod de_rvnr;
mod de_steuer_id;
mod de_vat;
mod dk_cpr;
mod dk_cvr;
mod do_cedula;
mod ec_ci;
mod ec_ruc;
mod ee_isikukood;
mod eg_nid;
mod es_ccc;
mod es_cif;
mod es_dni;
mod es_nie;
mod es_nuss;
mod fi_hetu;
mod fi_ytunnus;
mod fr_nif;
mod fr_nir;
mod fr_rib;
mod fr_siren;
mod fr_tva;
mod gb_driver;
mod gb_nhs;
mod gb_nino;
mod gb_utr;
mod gb_vat;
mod ge_pn;
mod gr_afm;
mod gr_amka;
mod gt_dpi;
mod hk_hkid;
mod hr_oib;
mod hu_adoazonosito;
mod hu_adoszam;
mod hu_szemelyi;
mod hu_taj;
mod id_nik;
mod id_npwp;
mod ie_pps;
mod il_id;
mod imei;
mod imsi;
mod in_aadhaar;
mod in_epic;
mod in_gstin;
mod in_pan;
mod ir_nid;
mod is_kennitala;
mod it_codice_fiscale;
mod it_piva;
mod jp_cn;
mod jp_my_number;
mod ke_pin;
mod kr_brn;
mod kr_rrn;
mod kz_iin;
mod lt_asmens_kodas;
mod lt_pvm;
mod lu_matricule;
mod lv_pk;
mod md_idno;
mod mt_id;
mod mx_clabe;
mod mx_curp;
mod mx_nss;
mod mx_rfc;
mod my_nric;
mod ng_nin;
mod nl_bsn;
mod nl_btw;
mod no_fnr;
mod no_konto;
mod no_orgnr;
mod nz_ird;
mod nz_nhi;
mod pe_ruc;
mod ph_crn;
mod ph_philhealth;
mod ph_tin;
mod pk_cnic;
mod pl_dowod;
mod pl_nip;
mod pl_passport;
mod pl_pesel;
mod pl_regon;
mod pt_cc;
mod pt_nib;
mod pt_nif;
mod pt_niss;
mod ro_cnp;
mod ro_cui;
mod rs_pib;
mod ru_inn;
mod ru_ogrn;
mod ru_snils;
mod sa_id;
mod se_orgnr;
mod se_personnummer;
mod sg_nric;
mod si_davcna;
mod si_emso;
mod sk_dph;
mod sv_dui;
mod th_pin;
mod tr_kimlik;
mod tr_vkn;
mod tw_id;
mod tw_ubn;
mod ua_rntrc;
mod us_aba;
mod us_dea;
mod us_ein;
mod us_itin;
mod us_mbi;
mod us_npi;
mod us_ssn;
mod uy_ci;
mod uy_rut;
mod ve_rif;
mod vin;
mod vn_cccd;
mod vn_mst;
mod za_id;
mod za_tin;

/// All rows.
pub(super) const KINDS: &[&Kind] = &[
    &ae_eid::KIND,
    &am_psn::KIND,
    &ar_cbu::KIND,
    &ar_cuit::KIND,
    &ar_dni::KIND,
    &at_svnr::KIND,
    &at_uid::KIND,
    &au_abn::KIND,
    &au_acn::KIND,
    &au_bsb::KIND,
    &au_medicare::KIND,
    &au_tfn::KIND,
    &az_fin::KIND,
    &be_nn::KIND,
    &be_vat::KIND,
    &bg_egn::KIND,
    &bg_pnf::KIND,
    &br_cnh::KIND,
    &br_cnpj::KIND,
    &br_cpf::KIND,
    &br_pis::KIND,
    &br_sus::KIND,
    &br_titulo::KIND,
    &by_unp::KIND,
    &ca_bc_phn::KIND,
    &ca_bn::KIND,
    &ca_on_health::KIND,
    &ca_qc_ramq::KIND,
    &ca_sin::KIND,
    &ch_ahv::KIND,
    &ch_uid::KIND,
    &cl_rut::KIND,
    &cn_rid::KIND,
    &cn_uscc::KIND,
    &co_cedula::KIND,
    &co_nit::KIND,
    &cr_cpf::KIND,
    &cu_ni::KIND,
    &cy_tic::KIND,
    &cz_dic::KIND,
    &cz_rc::KIND,
    &de_ausweis::KIND,
    &de_kvnr::KIND,
    &de_rvnr::KIND,
    &de_steuer_id::KIND,
    &de_vat::KIND,
    &dk_cpr::KIND,
    &dk_cvr::KIND,
    &do_cedula::KIND,
    &ec_ci::KIND,
    &ec_ruc::KIND,
    &ee_isikukood::KIND,
    &eg_nid::KIND,
    &es_ccc::KIND,
    &es_cif::KIND,
    &es_dni::KIND,
    &es_nie::KIND,
    &es_nuss::KIND,
    &fi_hetu::KIND,
    &fi_ytunnus::KIND,
    &fr_nif::KIND,
    &fr_nir::KIND,
    &fr_rib::KIND,
    &fr_siren::KIND,
    &fr_tva::KIND,
    &gb_driver::KIND,
    &gb_nhs::KIND,
    &gb_nino::KIND,
    &gb_utr::KIND,
    &gb_vat::KIND,
    &ge_pn::KIND,
    &gr_afm::KIND,
    &gr_amka::KIND,
    &gt_dpi::KIND,
    &hk_hkid::KIND,
    &hr_oib::KIND,
    &hu_adoazonosito::KIND,
    &hu_adoszam::KIND,
    &hu_szemelyi::KIND,
    &hu_taj::KIND,
    &id_nik::KIND,
    &id_npwp::KIND,
    &ie_pps::KIND,
    &il_id::KIND,
    &imei::KIND,
    &imsi::KIND,
    &in_aadhaar::KIND,
    &in_epic::KIND,
    &in_gstin::KIND,
    &in_pan::KIND,
    &ir_nid::KIND,
    &is_kennitala::KIND,
    &it_codice_fiscale::KIND,
    &it_piva::KIND,
    &jp_cn::KIND,
    &jp_my_number::KIND,
    &ke_pin::KIND,
    &kr_brn::KIND,
    &kr_rrn::KIND,
    &kz_iin::KIND,
    &lt_asmens_kodas::KIND,
    &lt_pvm::KIND,
    &lu_matricule::KIND,
    &lv_pk::KIND,
    &md_idno::KIND,
    &mt_id::KIND,
    &mx_clabe::KIND,
    &mx_curp::KIND,
    &mx_nss::KIND,
    &mx_rfc::KIND,
    &my_nric::KIND,
    &ng_nin::KIND,
    &nl_bsn::KIND,
    &nl_btw::KIND,
    &no_fnr::KIND,
    &no_konto::KIND,
    &no_orgnr::KIND,
    &nz_ird::KIND,
    &nz_nhi::KIND,
    &pe_ruc::KIND,
    &ph_crn::KIND,
    &ph_philhealth::KIND,
    &ph_tin::KIND,
    &pk_cnic::KIND,
    &pl_dowod::KIND,
    &pl_nip::KIND,
    &pl_passport::KIND,
    &pl_pesel::KIND,
    &pl_regon::KIND,
    &pt_cc::KIND,
    &pt_nib::KIND,
    &pt_nif::KIND,
    &pt_niss::KIND,
    &ro_cnp::KIND,
    &ro_cui::KIND,
    &rs_pib::KIND,
    &ru_inn::KIND,
    &ru_ogrn::KIND,
    &ru_snils::KIND,
    &sa_id::KIND,
    &se_orgnr::KIND,
    &se_personnummer::KIND,
    &sg_nric::KIND,
    &si_davcna::KIND,
    &si_emso::KIND,
    &sk_dph::KIND,
    &sv_dui::KIND,
    &th_pin::KIND,
    &tr_kimlik::KIND,
    &tr_vkn::KIND,
    &tw_id::KIND,
    &tw_ubn::KIND,
    &ua_rntrc::KIND,
    &us_aba::KIND,
    &us_dea::KIND,
    &us_ein::KIND,
    &us_itin::KIND,
    &us_mbi::KIND,
    &us_npi::KIND,
    &us_ssn::KIND,
    &uy_ci::KIND,
    &uy_rut::KIND,
    &ve_rif::KIND,
    &vin::KIND,
    &vn_cccd::KIND,
    &vn_mst::KIND,
    &za_id::KIND,
    &za_tin::KIND,
];
